// The page's own script: what Gradio's components cannot do. Every text comes from the server.
import "./look.js";
import "./compose.js";
import "./card.js";
import "./panel.js";
