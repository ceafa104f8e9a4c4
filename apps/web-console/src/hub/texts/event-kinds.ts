import { eventKinds as ofEveryConsole } from '../../console/texts/event-kinds.ts'
import type { Catalogue } from '../../shared/i18n/catalogue.ts'

const english = {
  ...ofEveryConsole['en-US'],
  RedirectUriAdded: 'Redirect URI added',
  RedirectUriRemoved: 'Redirect URI removed',
  ProviderCreated: 'Provider added',
  ProviderChanged: 'Provider changed',
  ProviderEnabled: 'Provider enabled',
  ProviderDisabled: 'Provider disabled',
  ProvidersReordered: 'Order of providers changed',
  ProviderRegistered: 'Hub registered at a provider',
  ProviderRemoved: 'Provider removed',
  SessionEnded: 'Session ended',
} as const

/** Every kind of event of the hub, in words. */
export const eventKinds: Catalogue<typeof english> = {
  'en-US': english,
  'pt-BR': {
    ...ofEveryConsole['pt-BR'],
    RedirectUriAdded: 'URI de retorno adicionada',
    RedirectUriRemoved: 'URI de retorno removida',
    ProviderCreated: 'Provedor adicionado',
    ProviderChanged: 'Provedor alterado',
    ProviderEnabled: 'Provedor ativado',
    ProviderDisabled: 'Provedor desativado',
    ProvidersReordered: 'Ordem dos provedores alterada',
    ProviderRegistered: 'Hub cadastrado em um provedor',
    ProviderRemoved: 'Provedor removido',
    SessionEnded: 'Sessão encerrada',
  },
}
