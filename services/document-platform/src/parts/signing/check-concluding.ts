import { createHash } from 'node:crypto'
import { BlobMissing } from '@chancela/service-kernel/blobs'
import type { Context } from '../../context.ts'
import type { FinalProcessing } from '../../workers/conclude-documents.ts'

/**
 * Final check of a file whose flow has ended: the stored bytes must still be those that were verified when signed. A
 * mismatch is logged for the operator; the document is concluded anyway, since its flow has ended.
 */
export const checkConcluding =
  ({ blobs, logger }: Pick<Context, 'blobs' | 'logger'>): FinalProcessing =>
  async ({ id, current_digest }) => {
    if ((await digestOf(blobs, current_digest)) !== current_digest)
      logger.error({ documentId: id, digest: current_digest }, 'document integrity check failed')
  }

/** Digest of the stored bytes; undefined when they are missing. Other storage failures throw and are retried later. */
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
