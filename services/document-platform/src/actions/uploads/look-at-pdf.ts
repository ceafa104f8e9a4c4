import type { StoredBlob } from '@chancela/service-kernel/blobs'
import type { Context } from '../../context.ts'
import { refuseTrouble } from '../../parts/renditions/open-renditions.ts'
import { isPdf } from '../documents/file-kind.ts'
import type { FileNames } from './keep-upload.ts'

/**
 * Refuses a PDF that no document could be made of, as early as it is known to be one: whoever sends it learns why before
 * the rest of a form is filled in. What is called a PDF and is none is taken, since uploads may be anything.
 */
export async function refuseUnreadablePdf(
  { renditions }: Pick<Context, 'renditions'>,
  { digest }: Pick<StoredBlob, 'digest'>,
  { name, contentType }: FileNames,
  signal?: AbortSignal,
): Promise<void> {
  if (!isPdf(name, contentType)) return
  const trouble = await renditions.trouble(digest, { signal })
  if (trouble && trouble.kind !== 'not-a-pdf') throw refuseTrouble(trouble, name)
}
