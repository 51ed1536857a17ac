"""Which parts the page has, and where they stand. Looks live in page.css."""

from dataclasses import dataclass

import gradio as gr

from model.settings import Page
from module.web import labels
from module.web.card import chip
from module.web.escape import plain
from module.words import Words

WAIT_SECONDS = 3.0
_LOG_OUT = '<form method="post" action="/logout"><button type="submit">登出</button></form>'


@dataclass(frozen=True)
class Parts:
    """The components that change or are pressed."""

    chat: gr.Chatbot
    state: gr.Markdown
    who: gr.Markdown
    side: gr.Column
    card: gr.Markdown
    yes: gr.Button
    box: gr.Textbox
    drop: gr.Button
    again: gr.Button
    act: gr.Button
    values: gr.Textbox
    timer: gr.Timer


def lay_out(page: Page, words: Words) -> Parts:
    """Draws the page inside the Blocks that is open."""
    with gr.Row(elem_id="top"):
        gr.Markdown(f"# {plain(page.title)}", elem_id="title")
        gr.Markdown(plain(page.company), elem_id="company", visible=bool(page.company))
        state = gr.Markdown(chip(None), elem_id="state")
        who = gr.Markdown("", elem_id="who")
        gr.Button(words.say("page", "panel"), size="sm", elem_id="panel-open")
        again = gr.Button(labels.RESET, size="sm", elem_id="reset")
        gr.Markdown(words.say("page", "forgets"), elem_id="forgets")
        gr.Markdown(_LOG_OUT, elem_id="logout", sanitize_html=False)
    with gr.Row(elem_id="desk"):
        with gr.Column(elem_id="talk"):
            chat = gr.Chatbot(
                elem_id="chat",
                label="對話",
                show_label=False,
                container=False,
                height="100%",
                buttons=[],
                layout="bubble",
                latex_delimiters=[],
                feedback_options=None,
                allow_tags=False,
                allow_file_downloads=False,
                group_consecutive_messages=False,
            )
            box = gr.Textbox(
                elem_id="box",
                label="訊息",
                show_label=False,
                container=False,
                placeholder=labels.ASK,
                lines=1,
                max_lines=5,
                submit_btn=labels.SEND,
                autofocus=True,
            )
        with gr.Column(elem_id="side", visible=False) as side:
            card = gr.Markdown("", elem_id="preview")
            yes = gr.Button(labels.CONFIRM, variant="primary", elem_id="confirm")
            with gr.Row(elem_id="more"):
                gr.Button(words.say("page", "edit"), size="sm", elem_id="edit")
                drop = gr.Button(words.say("page", "discard"), size="sm", elem_id="drop")
    # What the page's own script passes on: hidden, so that it costs a turn nothing.
    values = gr.Textbox(elem_id="values", label="values", visible="hidden")
    act = gr.Button("act", elem_id="act", visible="hidden")
    timer = gr.Timer(WAIT_SECONDS, active=False)
    return Parts(chat, state, who, side, card, yes, box, drop, again, act, values, timer)
