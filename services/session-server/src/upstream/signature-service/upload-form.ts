import { randomUUID } from 'node:crypto'

/** A form that contains a file unchanged, in pieces that are not joined. */
export interface UploadForm {
  readonly contentType: string
  readonly length: number
  readonly pieces: readonly Uint8Array[]
}

/** The file, and its name in a part of its own, where names need no header escaping (document-platform facts 1.4). */
export function uploadForm(chunks: readonly Uint8Array[], bytes: number, fileName: string): UploadForm {
  const boundary = `chancela-${randomUUID()}`
  const part = (disposition: string, type: string) =>
    `--${boundary}\r\nContent-Disposition: form-data; ${disposition}\r\nContent-Type: ${type}\r\n\r\n`
  const head = Buffer.from(
    `${part('name="name"', 'text/plain; charset=utf-8')}${fileName}\r\n` +
      part('name="content"; filename="document.pdf"', 'application/pdf'),
  )
  const tail = Buffer.from(`\r\n--${boundary}--\r\n`)
  return {
    contentType: `multipart/form-data; boundary=${boundary}`,
    length: head.length + bytes + tail.length,
    pieces: [head, ...chunks, tail],
  }
}
