import { request } from "node:http";

/** Bytes of an answer's body on the wire, as the server sends it to a client that accepts gzip alone. */
export function bytesOnTheWire(address: string, cookie = ""): Promise<number> {
  return new Promise((resolve, reject) => {
    const headers = { "accept-encoding": "gzip", cookie };
    request(address, { headers }, (response) => {
      let size = 0;
      response.on("data", (chunk: Buffer) => {
        size += chunk.length;
      });
      response.on("end", () => {
        if (response.statusCode === 200) resolve(size);
        else reject(new Error(`${address}: ${response.statusCode}`));
      });
      response.on("error", reject);
    })
      .on("error", reject)
      .end();
  });
}
