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
import { type ProviderDesk, presetsView } from '../../parts/console/providers.ts'
import type { ConsoleApp } from './console-app.ts'

/** Puts the providers on the console. */
export function serveProviders(app: ConsoleApp, desk: ProviderDesk): void {
  serve(app, listPresets, presetsView)
  serve(app, listProviders, () => desk.list())
  serve(app, createProvider, ({ body, caller }) => desk.create(body, caller.email))
  serve(app, updateProvider, ({ params, body, caller }) => desk.update(params.id, body, caller.email))
  serve(app, switchProvider, ({ params, body, caller }) => desk.switch(params.id, body.enabled, caller.email))
  serve(app, orderProviders, ({ body, caller }) => desk.reorder(body.ids, caller.email))
  serve(app, removeProvider, ({ params, caller }) => desk.remove(params.id, caller.email))
  serve(app, testProvider, ({ params, signal }) => desk.test(params.id, signal))
  serve(app, registerAtProvider, ({ params, body, caller }) => desk.register(params.id, body, caller.email))
}
