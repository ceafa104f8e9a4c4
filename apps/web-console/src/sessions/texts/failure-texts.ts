import type { Catalogue } from '../../shared/i18n/catalogue.ts'

const english = {
  INTERRUPTED: 'The server stopped before the signature was made.',
  CLIENT_GONE: 'The application gave the request up.',
} as const

/** Failures that only the log of signatures knows: nobody was answered. */
export const failureTexts: Catalogue<typeof english> = {
  'en-US': english,
  'pt-BR': {
    INTERRUPTED: 'O servidor parou antes de a assinatura ser feita.',
    CLIENT_GONE: 'A aplicação desistiu da requisição.',
  },
}
