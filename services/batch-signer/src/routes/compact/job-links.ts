import type { Context } from '../../context.ts'

/** URLs of a job and its output: under the public URL if set, else relative to the called host. */
export function compactLinks({ settings }: Pick<Context, 'settings'>, jobId: string) {
  const base = (settings.Compact.PublicUrl ?? '').replace(/\/+$/, '')
  return { statusUrl: `${base}/api/jobs/${jobId}`, outputUrl: `${base}/api/jobs/${jobId}/output` }
}
