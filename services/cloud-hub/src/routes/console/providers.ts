import { actorOf } from '@chancela/admin-console'
import { serve } from '@chancela/service-kernel/http'
import {
  createProvider,
  listPresets,
  listProviders,
  orderProviders,
  registerAtProvider,
  removeProvider,
  switchProvider,
  testProvider,
  updateProvider,
} from '../../contract/console-providers.ts'
import { type ProviderAdmin, presetsView } from '../../parts/console/providers.ts'
import type { ConsoleApp } from './console-app.ts'

/** Registers the console routes of providers. */
export function serveProviders(app: ConsoleApp, admin: ProviderAdmin): void {
  serve(app, listPresets, presetsView)
  serve(app, listProviders, () => admin.list())
  serve(app, createProvider, ({ body, caller }) => admin.create(body, actorOf(caller)))
  serve(app, updateProvider, ({ params, body, caller }) => admin.update(params.id, body, actorOf(caller)))
  serve(app, switchProvider, ({ params, body, caller }) => admin.switch(params.id, body.enabled, actorOf(caller)))
  serve(app, orderProviders, ({ body, caller }) => admin.reorder(body.ids, actorOf(caller)))
  serve(app, removeProvider, ({ params, caller }) => admin.remove(params.id, actorOf(caller)))
  serve(app, testProvider, ({ params, signal }) => admin.test(params.id, signal))
  serve(app, registerAtProvider, ({ params, body, caller }) => admin.register(params.id, body, actorOf(caller)))
}
