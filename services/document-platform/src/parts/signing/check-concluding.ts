import { createHash } from 'node:crypto'
import type { Context } from '../../context.ts'
import { BlobMissing } from '../../upstream/storage/blob-store.ts'
import type { FinalProcessing } from '../../workers/conclude-documents.ts'

/**
 * The last look at a file whose flow has ended: the bytes that lie in storage are those that were checked when they were
 * signed. What is not right is told to the operator; the document goes on, for its flow is what it is.
 */
export const checkConcluding =
  ({ blobs, logger }: Pick<Context, 'blobs' | 'logger'>): FinalProcessing =>
  async ({ id, current_digest }) => {
    if ((await digestOf(blobs, current_digest)) !== current_digest)
      logger.error({ documentId: id, digest: current_digest }, 'document integrity check failed')
  }

/** The digest of what lies there; nothing where nothing does. A storage that does not answer is tried again later. */
async function digestOf(blobs: Context['blobs'], digest: string): Promise<string | undefined> {
  const hash = createHash('sha256')
  try {
    for await (const piece of await blobs.stream(digest)) hash.update(piece as Buffer)
    return hash.digest('hex')
  } catch (error) {
    if (error instanceof BlobMissing) return undefined
    throw error
  }
}
