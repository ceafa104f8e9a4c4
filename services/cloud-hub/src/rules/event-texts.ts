// What the events of the hub say besides those of every console; `{name}` is a fact that is kept with the event.
import type { Bilingual } from '@chancela/service-kernel/i18n'
import type { OwnEventType } from '../contract/console-events.ts'

/** One sentence for each kind of event: one that is missing does not compile. */
export const ownEventTexts = {
  RedirectUriAdded: {
    'en-US': 'Users of a key may be sent back to {uri}.',
    'pt-BR': 'Usuários de uma chave podem ser mandados de volta a {uri}.',
  },
  RedirectUriRemoved: {
    'en-US': 'Users of a key are sent back to {uri} no more.',
    'pt-BR': 'Usuários de uma chave não são mais mandados de volta a {uri}.',
  },
  ProviderCreated: { 'en-US': '{provider} was added.', 'pt-BR': '{provider} foi acrescentado.' },
  ProviderChanged: { 'en-US': '{provider} was changed.', 'pt-BR': '{provider} foi alterado.' },
  ProviderEnabled: { 'en-US': '{provider} was enabled.', 'pt-BR': '{provider} foi ativado.' },
  ProviderDisabled: { 'en-US': '{provider} was disabled.', 'pt-BR': '{provider} foi desativado.' },
  ProvidersReordered: {
    'en-US': 'The providers were put into another order.',
    'pt-BR': 'Os provedores foram postos em outra ordem.',
  },
  ProviderRegistered: {
    'en-US': '{provider} has registered this hub.',
    'pt-BR': '{provider} registrou este hub.',
  },
  ProviderRemoved: { 'en-US': '{provider} was removed.', 'pt-BR': '{provider} foi removido.' },
  SessionEnded: { 'en-US': 'A session was ended.', 'pt-BR': 'Uma sessão foi encerrada.' },
} as const satisfies Readonly<Record<OwnEventType, Bilingual>>
