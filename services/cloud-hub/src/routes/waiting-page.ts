// The page for a user who has to confirm on the phone. It reloads until there is a redirect.
import { escapeHtml } from '@chancela/service-kernel/http'
import type { WaitingView } from '../actions/await-confirmation.ts'
import { type PageTexts, plainPage } from './plain-page.ts'

interface WaitingTexts {
  readonly title: (provider: string) => string
  readonly text: string
  readonly remaining: (time: string) => string
  readonly page: string
  readonly cancel: string
}

const texts: PageTexts<WaitingTexts> = {
  'pt-BR': {
    title: (provider) => `Confirme no celular em ${provider}`,
    text: 'Um pedido de autorização foi enviado ao celular do titular do certificado. Abra o aplicativo do provedor e confirme; depois disso, esta página continua sozinha.',
    remaining: (time) => `Tempo restante: ${time}`,
    page: 'Sem o celular? Continuar na página do provedor',
    cancel: 'Cancelar e voltar ao aplicativo',
  },
  'en-US': {
    title: (provider) => `Confirm on your phone at ${provider}`,
    text: "An authorization request was sent to the phone of the certificate's holder. Open the provider's app and confirm; this page then goes on by itself.",
    remaining: (time) => `Time left: ${time}`,
    page: 'No phone at hand? Go on at the page of the provider',
    cancel: 'Cancel and go back to the application',
  },
}

/** Slower than the provider's poll limit, fast enough for a waiting user. */
const REFRESH_SECONDS = 2

export const waitingPage = (
  acceptLanguage: string | undefined,
  { serviceName, remainingSeconds, pageUrl, cancelUrl }: WaitingView,
) =>
  plainPage(acceptLanguage, texts, ({ title, text, remaining, page, cancel }) => ({
    title: title(serviceName),
    refreshSeconds: REFRESH_SECONDS,
    content: `<p>${escapeHtml(text)}</p>
<p>${escapeHtml(remaining(minutesAndSeconds(remainingSeconds)))}</p>
<p><a href="${escapeHtml(pageUrl)}">${escapeHtml(page)}</a></p>
<p><a href="${escapeHtml(cancelUrl)}">${escapeHtml(cancel)}</a></p>`,
  }))

const minutesAndSeconds = (seconds: number): string =>
  `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`
