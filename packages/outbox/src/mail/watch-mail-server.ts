import { type UpstreamContext, watchUpstream } from '@chancela/service-kernel/health'
import type { MailSettings } from './mail-settings.ts'
import { greeted } from './mail-transport.ts'

export interface MailServerContext extends UpstreamContext {
  readonly service: string
  readonly dataFolder: string
}

/** Adds the check `mail-server`, where mail is on: whether it greets, and is whom the settings trust. No account is shown. */
export function watchMailServer(context: MailServerContext, settings: MailSettings): void {
  if (!settings.Enabled) return
  watchUpstream(context, 'mail-server', async () => {
    await greeted(context.service, context.dataFolder, settings)
    return { ok: true, detail: 'The mail server answers.' }
  })
}
