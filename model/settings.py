"""Settings: what config.ini and the environment say, checked once, frozen.

Every setting can be given as LEAVEBOT_<SECTION>_<KEY> in the environment, which wins; a secret only so.
The description of a field says what is allowed; it ends up in the error and in `leavebot doctor`.
"""

from collections.abc import Iterator, Mapping
from ipaddress import ip_network
from typing import Annotated, ClassVar, Literal
from urllib.parse import urlsplit

from pydantic import (
    AfterValidator,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    ValidationError,
    ValidationInfo,
    field_validator,
    model_validator,
)
from pydantic.fields import FieldInfo

from model.errors import ConfigError

PREFIX = "LEAVEBOT_"
CONFIG_VARIABLE = "LEAVEBOT_CONFIG"


def _listed(value: object) -> object:
    return tuple(part.strip() for part in value.split("|") if part.strip()) if isinstance(value, str) else value


Listed = Annotated[tuple[str, ...], BeforeValidator(_listed)]


class _Section(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", str_strip_whitespace=True, protected_namespaces=())
    SECRETS: ClassVar[frozenset[str]] = frozenset()


class Server(_Section):
    """Where the page is served, and how strict the start is."""

    profile: Literal["development", "production"] = Field(
        default="development", description="development、production 其中之一"
    )
    host: str = Field(default="127.0.0.1", min_length=1, description="主機名稱或 IP")
    port: int = Field(default=7860, ge=1, le=65535, description="1 到 65535 的整數")
    public_url: str = Field(
        default="", pattern=r"^(https?://[^\s/]+(/\S*)?)?$", description="空白，或 http(s):// 開頭的網址"
    )
    allowed_hosts: Listed = Field(default=(), description="主機名稱，以 | 分隔；空白表示只有 host 與 public_url 的主機")


class LlmSettings(_Section):
    """The language model; timeout is seconds for the whole call."""

    SECRETS: ClassVar[frozenset[str]] = frozenset({"api_key"})
    provider: Literal["none", "ollama", "openai"] = Field(default="ollama", description="none、ollama、openai 其中之一")
    model: str = Field(default="llama3:8b-instruct-q8_0", min_length=1, description="模型名稱")
    temperature: float = Field(default=0.0, ge=0, le=2, description="0 到 2 的數字")
    allowed_hosts: Listed = Field(default=("127.0.0.1", "localhost", "::1"), description="主機名稱，以 | 分隔")
    base_url: str = Field(
        default="http://127.0.0.1:11434",
        pattern=r"^https?://\S+$",
        description="http(s):// 開頭的網址，主機要在 [llm] allowed_hosts 裡",
    )
    timeout: float = Field(default=20.0, gt=0, le=600, description="秒數，大於 0、最多 600")
    num_ctx: int = Field(default=4096, ge=512, le=131072, description="512 到 131072 的整數")
    num_predict: int = Field(default=256, ge=16, le=8192, description="16 到 8192 的整數")
    keep_alive: str = Field(default="30m", pattern=r"^-?\d+(ms|s|m|h)?$", description="例如 30m、1h、-1")
    call: Literal["when_needed", "always"] = Field(default="when_needed", description="when_needed、always 其中之一")
    friendly: bool = Field(default=False, description="yes 或 no")
    concurrency: int = Field(default=2, ge=1, le=64, description="1 到 64 的整數")
    api_key: str = Field(default="", repr=False, description="OpenAI 相容伺服器的金鑰，只能由環境變數提供")

    @field_validator("base_url")
    @classmethod
    def _allowed(cls, url: str, info: ValidationInfo) -> str:
        if "@" in url or urlsplit(url).hostname not in info.data.get("allowed_hosts", ()):
            raise ValueError("not an allowed host")
        return url


class EipSettings(_Section):
    """The company's workflow system; timeout is seconds for a whole call of the http provider."""

    SECRETS: ClassVar[frozenset[str]] = frozenset({"api_key"})
    provider: Literal["sqlite", "http"] = Field(default="sqlite", description="sqlite、http 其中之一")
    company: str = Field(default="", description="公司資料 JSON 檔的路徑；空白表示示範公司")
    base_url: str = Field(
        default="http://127.0.0.1:7861", pattern=r"^https?://[^\s/]\S*$", description="http(s):// 開頭的網址"
    )
    filing_url: str = Field(
        default="", pattern=r"^(https?://[^\s/]\S*)?$", description="空白，或 http(s):// 開頭的網址"
    )
    timeout: float = Field(default=8.0, gt=0, le=10, description="秒數，大於 0、最多 10")
    api_key: str = Field(
        default="", repr=False, pattern=r"^[\x21-\x7e]*$", description="EIP 的 API 金鑰，只能由環境變數提供"
    )


class Store(_Section):
    """Where conversations are kept; all files lie in data_dir. With postgres, replicas share one database."""

    SECRETS: ClassVar[frozenset[str]] = frozenset({"url"})
    kind: Literal["memory", "sqlite", "postgres"] = Field(
        default="memory", description="memory、sqlite、postgres 其中之一（postgres 還要給 LEAVEBOT_STORE_URL）"
    )
    url: str = Field(
        default="", repr=False, pattern=r"^(postgres(ql)?://\S+)?$",
        description="postgresql://使用者:密碼@主機:5432/資料庫，只能由環境變數提供",
    )  # fmt: skip
    data_dir: str = Field(default="data", min_length=1, description="資料夾路徑")

    @model_validator(mode="after")
    def _address_of_postgres(self) -> "Store":
        if self.kind == "postgres" and not self.url:
            raise ConfigError("[store] kind = postgres：還要以環境變數 LEAVEBOT_STORE_URL 給資料庫的網址")
        return self


class Auth(_Section):
    """Who is speaking."""

    mode: Literal["demo", "password", "header"] = Field(default="demo", description="demo、password、header 其中之一")
    session_hours: float = Field(default=8.0, gt=0, le=720, description="時數，大於 0、最多 720")
    proxy_header: str = Field(
        default="X-Forwarded-User", pattern=r"^[A-Za-z0-9-]{1,64}$", description="標頭名稱，英數字與連字號"
    )
    proxy_addresses: Listed = Field(default=(), description="IP 或網段（例如 10.0.0.0/24），以 | 分隔")

    @field_validator("proxy_addresses")
    @classmethod
    def _networks(cls, addresses: tuple[str, ...]) -> tuple[str, ...]:
        for address in addresses:
            ip_network(address)
        return addresses

    @model_validator(mode="after")
    def _a_proxy_to_trust(self) -> "Auth":
        if self.mode == "header" and not self.proxy_addresses:
            raise ConfigError("[auth] mode = header：還要在 [auth] proxy_addresses 寫出代理的 IP，只信任它送來的標頭")
        return self


def _readable(colour: str) -> str:
    """A colour on which white words can be read: contrast 4.5 (WCAG AA)."""
    parts = [int(colour[place : place + 2], 16) / 255 for place in (1, 3, 5)]
    light = sum(
        weight * (part / 12.92 if part <= 0.03928 else ((part + 0.055) / 1.055) ** 2.4)
        for weight, part in zip((0.2126, 0.7152, 0.0722), parts, strict=True)
    )
    if 1.05 / (light + 0.05) < 4.5:
        raise ValueError("too light")
    return colour


class Page(_Section):
    """What the page shows; the company's name comes from the EIP where it is empty."""

    title: str = Field(default="請假助理", min_length=1, description="文字")
    company: str = Field(default="", description="文字")
    greeting: str = Field(
        default="您好！直接說想請什麼假，例如「下週三下午請特休」。", min_length=1, description="文字"
    )
    examples: Listed = Field(
        default=("下週三要請特休", "明天下午請病假，要看醫生", "還剩幾天特休？", "特休可以請半天嗎？"),
        description="例句，以 | 分隔",
    )
    colour: Annotated[str, AfterValidator(_readable)] = Field(
        default="#1d4ed8", pattern=r"^#[0-9a-fA-F]{6}$", description="#rrggbb，要夠深，白字在上面才看得清楚（對比 4.5 以上）"
    )
    logo: str = Field(default="", description="圖檔的路徑；空白表示用內附的圖示")
    show_absences: bool = Field(default=True, description="yes 或 no")


class Policy(_Section):
    """How a conversation is led."""

    rounds: int = Field(default=3, ge=1, le=10, description="1 到 10 的整數")
    keep: int = Field(default=8, ge=2, le=200, description="2 到 200 的整數")
    message_chars: int = Field(default=2000, ge=50, le=20000, description="50 到 20000 的整數")
    preview_minutes: int = Field(default=10, ge=1, le=1440, description="1 到 1440 的整數")
    idle_hours: float = Field(default=8.0, gt=0, le=720, description="時數，大於 0、最多 720")


class Desk(_Section):
    """What is not a leave form: routing, HR and hand-book."""

    confidence: float = Field(default=0.6, ge=0, le=1, description="0 到 1 的數字")
    hr: Listed = Field(default=(), description="人資同仁的帳號，以 | 分隔")
    contact: str = Field(default="人資分機 5800", min_length=1, description="文字")
    channel: str = Field(default="性騷擾防治專線分機 5880，或 safe@example.com", min_length=1, description="文字")
    handbook: str = Field(default="", description="手冊（Markdown 檔）資料夾的路徑；空白表示內附的範例手冊")


class Limits(_Section):
    """How much one account, or one address, may ask for; what is above waits."""

    turns_per_minute: int = Field(default=30, ge=1, le=10000, description="1 到 10000 的整數")
    presses_per_minute: int = Field(default=120, ge=1, le=100000, description="1 到 100000 的整數")
    uploads_per_hour: int = Field(default=60, ge=1, le=10000, description="1 到 10000 的整數")
    logins_per_minute: int = Field(default=60, ge=1, le=100000, description="1 到 100000 的整數")
    address_factor: int = Field(default=20, ge=1, le=10000, description="1 到 10000 的整數")


class Log(_Section):
    """What is logged."""

    level: Literal["debug", "info", "warning", "error"] = Field(
        default="info", description="debug、info、warning、error 其中之一"
    )


class Settings(BaseModel):
    """All settings, one attribute a section of config.ini."""

    model_config = ConfigDict(frozen=True, extra="forbid")
    server: Server = Server()
    llm: LlmSettings = LlmSettings()
    eip: EipSettings = EipSettings()
    store: Store = Store()
    auth: Auth = Auth()
    page: Page = Page()
    policy: Policy = Policy()
    desk: Desk = Desk()
    limits: Limits = Limits()
    log: Log = Log()

    @classmethod
    def from_mapping(cls, sections: Mapping[str, Mapping[str, str]], environ: Mapping[str, str]) -> "Settings":
        """Reads `{section: {key: text}}` and the LEAVEBOT_… variables.

        Raises ConfigError naming section, key and what is allowed.
        """
        known = _sections()
        for section in sections:
            if section not in known:
                raise ConfigError(f"[{section}]：沒有這個區段，可用的有 {'、'.join(known)}")
        given = dict(_from_environ(known, environ))
        return cls(**{name: _section(name, kind, sections.get(name, {}), given) for name, kind in known.items()})  # type: ignore[arg-type]  # each value is an instance of that section's class


def secret_variables() -> tuple[str, ...]:
    """The environment variables that hold secrets; each may be given as …_FILE instead."""
    return tuple(_variable(name, key) for name, kind in _sections().items() for key in sorted(kind.SECRETS))


def _sections() -> dict[str, type[_Section]]:
    return {name: type(getattr(Settings(), name)) for name in Settings.model_fields}


def _from_environ(known: Mapping[str, type[_Section]], environ: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    names = {f"{PREFIX}{name}_{key}".upper() for name, kind in known.items() for key in kind.model_fields}
    for variable, value in environ.items():
        if variable.startswith(PREFIX) and variable != CONFIG_VARIABLE:
            if variable not in names:
                raise ConfigError(f"環境變數 {variable}：沒有這個設定，格式是 {PREFIX}<區段>_<設定>")
            yield variable, value


def _section(name: str, kind: type[_Section], written: Mapping[str, str], given: Mapping[str, str]) -> _Section:
    for key in written:
        if key not in kind.model_fields:
            raise ConfigError(f"[{name}] {key}：沒有這個設定，可用的有 {'、'.join(kind.model_fields)}")
        if key in kind.SECRETS:
            raise ConfigError(f"[{name}] {key}：機密不能寫在設定檔裡，請改用環境變數 {_variable(name, key)} 或 {_variable(name, key)}_FILE")
    variables = {key: given[_variable(name, key)] for key in kind.model_fields if _variable(name, key) in given}
    try:
        return kind.model_validate({**written, **variables})
    except ValidationError as wrong:
        key = str(wrong.errors()[0]["loc"][0])
        place = f"環境變數 {_variable(name, key)}" if key in variables else f"[{name}] {key}"
        raise ConfigError(_complaint(place, {**written, **variables}[key], kind, key)) from None


def _complaint(place: str, value: str, kind: type[_Section], key: str) -> str:
    field: FieldInfo = kind.model_fields[key]
    shown = "" if key in kind.SECRETS else f" = {value!r}"
    return f"{place}{shown}：不是可用的值，應為 {field.description}"


def _variable(section: str, key: str) -> str:
    return f"{PREFIX}{section}_{key}".upper()
