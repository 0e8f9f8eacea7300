import type { Client, Connection, Submittable } from "pg";

/** What pg calls on a running statement that copies. Its types leave this out. */
interface CopyConnection extends Connection {
  sendCopyFromChunk(chunk: Buffer): void;
  endCopyFrom(): void;
}

const rowsOfTag = ({ text }: { text: string }): number => Number(/^COPY (\d+)$/.exec(text)?.[1] ?? Number.NaN);

/**
 * Runs `COPY ... TO STDOUT`. Iterate it once for its output, in parts of whole rows. It reads from the socket only while its
 * reader waits, so a table of any size needs the memory of a part.
 */
export class CopyOut implements Submittable, AsyncIterable<Buffer> {
  /** The number of rows, once all parts have been read. */
  rows = 0;
  #connection: Connection | undefined;
  #rows: Buffer[] = [];
  #bytes = 0;
  #parts: Buffer[] = [];
  #failure: Error | undefined;
  #ended = false;
  #wake: () => void = () => undefined;

  constructor(
    readonly text: string,
    readonly partBytes: number,
  ) {}

  submit(connection: Connection): void {
    this.#connection = connection;
    connection.query(this.text);
  }

  handleCopyData({ chunk }: { chunk: Buffer }): void {
    this.#rows.push(Buffer.from(chunk)); // pg reuses the chunk's memory
    this.#bytes += chunk.length;
    if (this.#bytes >= this.partBytes) this.#endPart();
  }

  handleCommandComplete(message: { text: string }): void {
    this.rows = rowsOfTag(message);
    if (this.#bytes > 0) this.#endPart();
  }

  handleError(error: Error): void {
    this.#failure = error;
    this.#wake();
  }

  handleReadyForQuery(): void {
    this.#ended = true;
    this.#wake();
  }

  #endPart(): void {
    this.#parts.push(Buffer.concat(this.#rows, this.#bytes));
    this.#rows = [];
    this.#bytes = 0;
    this.#connection?.stream.pause();
    this.#wake();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Buffer> {
    for (;;) {
      const part = this.#parts.shift();
      if (part) yield part;
      else if (this.#failure) throw this.#failure;
      else if (this.#ended) return;
      else
        await new Promise<void>((wake) => {
          this.#wake = wake;
          this.#connection?.stream.resume();
        });
    }
  }
}

/** Runs `COPY ... FROM STDIN` with these rows. @returns how many were added */
export function copyIn(client: Client, text: string, rows: Buffer): Promise<number> {
  return new Promise((done, failed) => {
    let count = Number.NaN;
    const copy = {
      submit: (connection: Connection) => connection.query(text),
      handleCopyInResponse: (connection: CopyConnection) => {
        connection.sendCopyFromChunk(rows);
        connection.endCopyFrom();
      },
      handleCommandComplete: (message: { text: string }) => {
        count = rowsOfTag(message);
      },
      handleError: failed,
      handleReadyForQuery: () => done(count),
    };
    client.query(copy);
  });
}
