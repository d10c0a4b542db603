/** A worker that says what there is in a Markdown text: null where it is too much for it. */
import { Lexer } from "marked";

addEventListener("message", (asked: MessageEvent<string>) => {
  try {
    postMessage(Lexer.lex(asked.data));
  } catch {
    // the lexer calls itself for each level, and thousands of ">" in a row are more than the stack holds
    postMessage(null);
  }
});
