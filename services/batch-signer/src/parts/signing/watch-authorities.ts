import { SECOND } from '@chancela/service-kernel/clock'
import { answered, type CheckResult, watchUpstream } from '@chancela/service-kernel/health'
import { createHttpClient } from '@chancela/service-kernel/http-client'
import type { Context } from '../../context.ts'
import type { Profile } from '../../rules/profile.ts'

const LIMIT_MS = 3 * SECOND

/**
 * Adds the check `timestamp-authority`: those of the settings and of the profiles that are enabled. Any answer counts, and
 * none is asked for a timestamp, which may cost money: that they give one is found when a profile needs it.
 */
export function watchAuthorities(context: Context, profiles: { list(): readonly Profile[] }): void {
  const client = createHttpClient({ connectTimeoutMs: LIMIT_MS, deadlineMs: LIMIT_MS, maxAnswerBytes: 65_536 })
  context.closing.add('the look at timestamp authorities', () => client.close())
  watchUpstream(context, 'timestamp-authority', async (signal) => {
    const urls = authoritiesOf(context, profiles)
    const looks = urls.map((url) =>
      client
        .exchange({ method: 'HEAD', url, signal })
        .then(answered, (error: Error) => ({ ok: false, detail: error.message })),
    )
    const found = await Promise.all(looks)
    const red = found.flatMap(({ ok, detail }: CheckResult, at) =>
      ok ? [] : [`${new URL(urls[at]!).host}: ${detail}`],
    )
    if (red.length > 0) return { ok: false, detail: red.join('; ') }
    return { ok: true, detail: urls.length > 0 ? 'It answers.' : 'None is configured.' }
  })
}

function authoritiesOf({ settings }: Context, profiles: { list(): readonly Profile[] }): readonly string[] {
  const own = profiles.list().flatMap(({ enabled, timestampAuthority }) => (enabled ? (timestampAuthority ?? []) : []))
  return [...new Set([...own, settings.Signing.TimestampAuthority].filter((url) => url !== undefined))]
}
