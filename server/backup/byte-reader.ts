/** Takes exact numbers of bytes from a stream. */
export class ByteReader {
  #source: AsyncIterator<Buffer>;
  #pieces: Buffer[] = [];
  #bytes = 0;

  constructor(source: AsyncIterable<Buffer>) {
    this.#source = source[Symbol.asyncIterator]();
  }

  /** Reads until at least `count` bytes are buffered. @returns whether there were so many */
  async #fill(count: number): Promise<boolean> {
    while (this.#bytes < count) {
      const { value, done } = await this.#source.next();
      if (done) return false;
      this.#pieces.push(value);
      this.#bytes += value.length;
    }
    return true;
  }

  #joined(): Buffer {
    const all = this.#pieces.length === 1 ? (this.#pieces[0] as Buffer) : Buffer.concat(this.#pieces, this.#bytes);
    this.#pieces = [all];
    return all;
  }

  #remove(count: number): Buffer {
    const all = this.#joined();
    this.#pieces = [all.subarray(count)];
    this.#bytes -= count;
    return all.subarray(0, count);
  }

  /** @throws Error when the stream ends before */
  async take(count: number): Promise<Buffer> {
    if (!(await this.#fill(count))) throw new Error("it ends too early");
    return this.#remove(count);
  }

  /** Takes `count` bytes, or fewer at the end of the stream. */
  async takeUpTo(count: number): Promise<Buffer> {
    await this.#fill(count);
    return this.#remove(Math.min(count, this.#bytes));
  }

  /** Takes a line of ASCII, and returns it without its end. @throws Error when there is none of at most `maxBytes` */
  async takeLine(maxBytes: number): Promise<string> {
    await this.#fill(maxBytes);
    const end = this.#joined().subarray(0, maxBytes).indexOf("\n");
    if (end < 0) throw new Error("its header is damaged");
    return this.#remove(end + 1).toString("latin1", 0, end);
  }

  async isAtEnd(): Promise<boolean> {
    return !(await this.#fill(1));
  }
}
