/** The forms a document may have. A stream is read to its end before it is sent. */
export type DocumentContent = Uint8Array | ArrayBuffer | Blob | ReadableStream<Uint8Array> | AsyncIterable<Uint8Array>

/** A document and what it is called. */
export interface NamedDocument {
  readonly document: DocumentContent
  /** Default: the name of a `File`, or `document.pdf`. */
  readonly fileName?: string | undefined
}

/** The document as a file of a form. A stream is buffered first, so that the request can be retried. */
export async function fileOf({ document, fileName }: NamedDocument): Promise<File> {
  const name = fileName ?? (document instanceof File ? document.name : 'document.pdf')
  return new File(await partsOf(document), name, { type: 'application/pdf' })
}

async function partsOf(content: DocumentContent): Promise<BlobPart[]> {
  // Before the next line: a stream may be iterable, but not in every browser.
  if (content instanceof ReadableStream) return [await new Response(content).blob()]
  if (Symbol.asyncIterator in content) return gathered(content)
  return [content as BlobPart]
}

async function gathered(chunks: AsyncIterable<Uint8Array>): Promise<BlobPart[]> {
  const parts: BlobPart[] = []
  for await (const chunk of chunks) parts.push(chunk as BlobPart)
  return parts
}
