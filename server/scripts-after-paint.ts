import { Transform } from "node:stream";
import { StringDecoder } from "node:string_decoder";

/** A script of the framework, as React writes it. The text of a page cannot look like this: React escapes its "<". */
const script = /<script( src="\/_next\/static\/[^"]+"[^>]* async=""[^>]*>)/g;

/**
 * Changes a page's HTML so that no script of the framework loads and runs by itself: app/scripts-after-paint.ts does both
 * (docs/decisions/0080-scripts-after-paint.md).
 */
export function scriptsAfterPaint(): Transform {
  const decoder = new StringDecoder("utf8");
  let rest = "";
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      const html = rest + decoder.write(chunk);
      const lastTag = html.lastIndexOf("<");
      const end = lastTag < 0 || html.includes(">", lastTag) ? html.length : lastTag; // a tag can be split between chunks
      rest = html.slice(end);
      done(null, html.slice(0, end).replace(script, '<script type="after-paint"$1'));
    },
    flush(done) {
      done(null, rest + decoder.end());
    },
  });
}
