// The thread in which PDFs of strangers are read and drawn on: what they cost, nobody else waits for.
import { parentPort } from 'node:worker_threads'
import { UnreadablePdf } from '../pdf-library.ts'
import type { PdfTrouble } from '../read-pdf.ts'
import { type RenditionTask, renditionWork, type WorkName } from './rendition-work.ts'

/** A file, that all is well, or why not. */
export type RenditionAnswer =
  | { readonly bytes: Uint8Array | undefined }
  | { readonly trouble: PdfTrouble }
  | { readonly bug: string }

parentPort?.on('message', async (task: RenditionTask) => {
  const answer = await answered(task)
  const own = 'bytes' in answer && answer.bytes ? [answer.bytes.buffer as ArrayBuffer] : []
  parentPort?.postMessage(answer, own)
})

async function answered<Name extends WorkName>(task: RenditionTask<Name>): Promise<RenditionAnswer> {
  const { name, pdfs, given, within } = task
  try {
    // The compiler cannot tell that the name and what is given belong together; the type of a task says so.
    const work = renditionWork[name] as (...all: unknown[]) => ReturnType<(typeof renditionWork)[Name]>
    const made = await work(pdfs, given, within)
    if (made === undefined || made instanceof Uint8Array) return { bytes: made && alone(made) }
    return { trouble: made }
  } catch (error) {
    if (error instanceof UnreadablePdf) return { trouble: error.trouble }
    return { bug: error instanceof Error ? (error.stack ?? error.message) : String(error) }
  }
}

/** The bytes in memory of their own, which can be handed over; a small file shares its memory with others. */
const alone = (bytes: Uint8Array): Uint8Array =>
  bytes.byteLength === bytes.buffer.byteLength ? bytes : new Uint8Array(bytes)
