import { serve } from '@chancela/service-kernel/http'
import type { Context } from '../../context.ts'
import { compactRoutes } from '../../contract/compact.ts'
import type { ProfileDirectory } from '../../parts/signing/signing.ts'
import { wrongFields } from '../../rules/form-fields.ts'
import { DEFAULT_PROFILE } from '../../rules/profile.ts'
import type { WorkArea } from '../../upstream/storage/storage.ts'
import type { Intake } from '../../workers/intake/intake.ts'
import type { UploadRequest } from '../../workers/intake/upload.ts'
import { actorOf } from '../operator-access.ts'
import type { CompactApp } from './access.ts'
import { requireFreeName } from './free-name.ts'
import { compactLinks } from './job-links.ts'
import { requireAllowedExtension, uploadRequest } from './upload-form.ts'

const MIB = 1_048_576

/** What the uploads of the compact variant need. */
export interface CompactFiles {
  readonly profiles: ProfileDirectory
  readonly intake: Pick<Intake, 'upload' | 'rescan'>
  readonly work: Pick<WorkArea, 'isProcessing'>
}

/** Uploads and the rescan of input folders. */
export function serveCompactFiles(app: CompactApp, context: Context, { profiles, intake, work }: CompactFiles): void {
  const { settings, store } = context
  const { MaxFileSizeMb, AllowedExtensions } = settings.FileValidation

  serve(app, compactRoutes.upload, async ({ request, reply }) => {
    const { jobId } = await intake.upload({
      request,
      maxBytes: MaxFileSizeMb * MIB,
      acceptName: async (fileName) => {
        requireAllowedExtension(fileName, AllowedExtensions)
        await requireFreeName({ db: store.db, work }, fileName)
      },
      readFields: (fields) => requireRecipients(uploadRequest(fields)),
    })
    const links = compactLinks(context, jobId)
    reply.header('location', links.statusUrl)
    return { jobId, ...links }
  })

  serve(app, compactRoutes.rescan, async ({ caller }) => {
    const { totals } = await intake.rescan(undefined, actorOf(caller))
    return { enqueued: totals.enqueued }
  })

  /** Reported at once instead of by a job that fails later. */
  function requireRecipients(request: UploadRequest): UploadRequest {
    const own = profiles.get(DEFAULT_PROFILE)?.encryptionCertificates ?? []
    if (request.encryptionRequested && own.length + settings.Encryption.CertificateFiles.length === 0)
      throw wrongFields('No certificate to encrypt to is configured.', ['encryptionEnabled'])
    return request
  }
}
