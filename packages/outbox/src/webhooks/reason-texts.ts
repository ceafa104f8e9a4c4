// Why a delivery failed or an endpoint is off: the English words are stored, and read again where they are shown.
import { type Bilingual, StoredWords } from '@chancela/service-kernel/i18n'

const texts = {
  'gone-for-good': {
    'en-US': 'The receiver answered 410: it is gone for good.',
    'pt-BR': 'O destinatário respondeu 410: ele não existe mais.',
  },
  answered: { 'en-US': 'The receiver answered {status}.', 'pt-BR': 'O destinatário respondeu {status}.' },
  late: { 'en-US': 'The receiver did not answer in time.', 'pt-BR': 'O destinatário não respondeu a tempo.' },
  'no-answer': { 'en-US': 'No answer: {code}.', 'pt-BR': 'Sem resposta: {code}.' },
  failing: {
    'en-US': 'Every attempt since {since} has failed.',
    'pt-BR': 'Todas as tentativas desde {since} falharam.',
  },
  deleted: { 'en-US': 'The endpoint was deleted.', 'pt-BR': 'O webhook foi removido.' },
  disabled: { 'en-US': 'The endpoint was disabled.', 'pt-BR': 'O webhook foi desativado.' },
  'paused-by': { 'en-US': '{name} paused it.', 'pt-BR': 'Pausado por {name}.' },
  'disabled-by': { 'en-US': '{name} disabled it.', 'pt-BR': 'Desativado por {name}.' },
  canceled: { 'en-US': 'It was canceled.', 'pt-BR': 'Foi cancelado.' },
  'no-body': { 'en-US': 'The body could not be made.', 'pt-BR': 'O conteúdo não pôde ser gerado.' },
  'token-none': {
    'en-US': 'No access token: the answer has none.',
    'pt-BR': 'Sem token de acesso: a resposta não traz nenhum.',
  },
  'token-answered': {
    'en-US': 'No access token: its endpoint answered {status}.',
    'pt-BR': 'Sem token de acesso: o endereço dele respondeu {status}.',
  },
  'token-too-long': {
    'en-US': 'No access token: the answer is too long.',
    'pt-BR': 'Sem token de acesso: a resposta é longa demais.',
  },
  'token-late': {
    'en-US': 'No access token: its endpoint did not answer in time.',
    'pt-BR': 'Sem token de acesso: o endereço dele não respondeu a tempo.',
  },
  'token-no-answer': { 'en-US': 'No access token: {code}.', 'pt-BR': 'Sem token de acesso: {code}.' },
} as const satisfies Readonly<Record<string, Bilingual>>

const words = new StoredWords(texts)

/** A reason as it is stored. */
export const reason: typeof words.said = (key, facts) => words.said(key, facts)

/** What a stored reason says in each language; null for the words of somebody else. */
export const reasonInBoth: typeof words.inBoth = (stored) => words.inBoth(stored)
