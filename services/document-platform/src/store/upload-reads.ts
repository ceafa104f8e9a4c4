import { portableStatement } from '@chancela/service-kernel/store'
import type { UploadRow } from './tables.ts'

/** The unexpired uploads of an organization among these ids. */
export const unexpiredUploads = portableStatement<
  { readonly ids: readonly string[]; readonly organizationId: string; readonly now: string },
  UploadRow
>(
  'documents_uploads',
  ({ place, oneOf }) =>
    `select id, organization_id, digest, size, md5, name, content_type, created_at, expires_at from upload
     where ${oneOf('id', 1)} and organization_id = ${place(2)} and expires_at > ${place(3)}`,
  ({ ids, organizationId, now }, list) => [list(ids), organizationId, now],
)
