import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { openssl, type ToolRun, temporaryFolder } from '@chancela/testkit/tools'

export interface OpensslCmsOptions {
  readonly roots: string
  /** Of a detached signature. */
  readonly content?: Uint8Array
  readonly form?: 'DER' | 'PEM'
}

/** The result of `openssl cms -verify -cades`. */
export function opensslVerifies(
  cms: Uint8Array,
  { roots, content, form = 'DER' }: OpensslCmsOptions,
): Promise<ToolRun> {
  const folder = temporaryFolder()
  writeFileSync(join(folder, 'roots.pem'), roots)
  writeFileSync(join(folder, 'signature'), cms)
  if (content) writeFileSync(join(folder, 'content'), content)
  return openssl(
    [
      ...['cms', '-verify', '-cades', '-binary', '-purpose', 'any', '-CAfile', 'roots.pem'],
      ...['-inform', form, '-in', 'signature', ...(content ? ['-content', 'content'] : [])],
    ],
    { folder },
  )
}
