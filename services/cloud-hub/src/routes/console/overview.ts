import { beginOfDay } from '@chancela/service-kernel/clock'
import { serve } from '@chancela/service-kernel/http'
import type { Context } from '../../context.ts'
import { readOverview } from '../../contract/console-overview.ts'
import { overview } from '../../parts/console/overview.ts'
import type { ProviderAdmin } from '../../parts/console/providers.ts'
import type { ConsoleApp } from './console-app.ts'

/** Puts the figures of the first page on the console. */
export function serveOverview(app: ConsoleApp, context: Context, providers: ProviderAdmin): void {
  serve(app, readOverview, ({ query: { since }, now }) =>
    overview(context, providers, since === undefined ? beginOfDay(now) : new Date(since), now),
  )
}
