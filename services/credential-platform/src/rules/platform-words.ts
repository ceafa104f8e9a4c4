// Why a document does not get on at the document platform, or the platform is not reached.
import { type Bilingual, StoredWords } from '@chancela/service-kernel/i18n'

const texts = {
  'none-connected': {
    'en-US': 'The organization has no document platform connected.',
    'pt-BR': 'A organização não tem plataforma de documentos conectada.',
  },
  'none-any-more': {
    'en-US': 'No document platform is connected.',
    'pt-BR': 'Nenhuma plataforma de documentos está conectada.',
  },
  deleted: {
    'en-US': 'The document was deleted at the document platform, or its key does not reach it any more.',
    'pt-BR': 'O documento foi excluído na plataforma de documentos, ou a chave não o alcança mais.',
  },
  Refused: {
    'en-US': 'A signature was refused at the document platform.',
    'pt-BR': 'Uma assinatura foi recusada na plataforma de documentos.',
  },
  Canceled: {
    'en-US': 'The document was canceled at the document platform.',
    'pt-BR': 'O documento foi cancelado na plataforma de documentos.',
  },
  Expired: {
    'en-US': 'The document expired at the document platform.',
    'pt-BR': 'O documento expirou na plataforma de documentos.',
  },
  'Refused-because': {
    'en-US': 'A signature was refused at the document platform. {said}',
    'pt-BR': 'Uma assinatura foi recusada na plataforma de documentos. {said}',
  },
  'Canceled-because': {
    'en-US': 'The document was canceled at the document platform. {said}',
    'pt-BR': 'O documento foi cancelado na plataforma de documentos. {said}',
  },
  'Expired-because': {
    'en-US': 'The document expired at the document platform. {said}',
    'pt-BR': 'O documento expirou na plataforma de documentos. {said}',
  },
  'not-taken': {
    'en-US': 'The document platform refused it: {why}',
    'pt-BR': 'A plataforma de documentos o recusou: {why}',
  },
  redirects: { 'en-US': 'It redirects to another address.', 'pt-BR': 'Ela redireciona para outro endereço.' },
  'key-refused': { 'en-US': 'The key is not accepted.', 'pt-BR': 'A chave não é aceita.' },
  'key-weak': { 'en-US': 'The key may not do this.', 'pt-BR': 'A chave não pode fazer isto.' },
  'nothing-there': {
    'en-US': 'It has nothing at this address, or no such document.',
    'pt-BR': 'Ela não tem nada neste endereço, ou não tem este documento.',
  },
  'too-often': { 'en-US': 'It asks to be called less often.', 'pt-BR': 'Ela pede que seja chamada menos vezes.' },
  answered: { 'en-US': 'It answered {status}.', 'pt-BR': 'Ela respondeu {status}.' },
  'with-code': { 'en-US': '{why} ({code})', 'pt-BR': '{why} ({code})' },
  'not-platform': {
    'en-US': 'What answers there is not a document platform.',
    'pt-BR': 'O que responde lá não é uma plataforma de documentos.',
  },
  unreachable: { 'en-US': 'No connection came about.', 'pt-BR': 'Não houve conexão.' },
  untrusted: { 'en-US': 'No TLS connection came about.', 'pt-BR': 'Não houve conexão TLS.' },
  deadline: { 'en-US': 'No answer came in time.', 'pt-BR': 'Não houve resposta a tempo.' },
  lost: {
    'en-US': 'The connection broke before the answer was complete.',
    'pt-BR': 'A conexão caiu antes de a resposta estar completa.',
  },
  broken: { 'en-US': 'The answer cannot be read.', 'pt-BR': 'A resposta não pode ser lida.' },
  long: { 'en-US': 'The answer is too long.', 'pt-BR': 'A resposta é longa demais.' },
} as const satisfies Readonly<Record<string, Bilingual>>

const words = new StoredWords(texts)

/** A reason as it is stored. */
export const platformWords: typeof words.said = (key, facts) => words.said(key, facts)

/** What a stored reason says in each language; null for the words of somebody else. */
export const platformWordsInBoth: typeof words.inBoth = (stored) => words.inBoth(stored)
