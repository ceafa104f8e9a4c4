import { beginOfDay } from '@chancela/service-kernel/clock'
import { serve } from '@chancela/service-kernel/http'
import type { Context } from '../../context.ts'
import { readOverview } from '../../contract/console-overview.ts'
import { overview } from '../../parts/console/overview.ts'
import type { ProviderAdmin } from '../../parts/console/providers.ts'
import type { ConsoleApp } from './console-app.ts'

/** Registers the console route of the first page's figures. */
export function serveOverview(app: ConsoleApp, context: Context, providers: ProviderAdmin): void {
  serve(app, readOverview, ({ query: { since }, now }) =>
    overview(context, providers, since === undefined ? beginOfDay(now) : new Date(since), now),
  )
}
