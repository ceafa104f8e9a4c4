import type { Context } from '../../context.ts'

/** Where a job and its output are found: under the public URL where one is set, else on whatever host was called. */
export function compactLinks({ settings }: Pick<Context, 'settings'>, jobId: string) {
  const base = (settings.Compact.PublicUrl ?? '').replace(/\/+$/, '')
  return { statusUrl: `${base}/api/jobs/${jobId}`, outputUrl: `${base}/api/jobs/${jobId}/output` }
}
