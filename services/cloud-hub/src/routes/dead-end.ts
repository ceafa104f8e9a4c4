// The page for a user who cannot be redirected; it repeats nothing of the request.
import { escapeHtml } from '@chancela/service-kernel/http'
import { plainPage } from './plain-page.ts'

const texts = {
  'pt-BR': {
    title: 'Não foi possível continuar',
    text: 'Esta autorização já foi concluída, expirou ou não veio do provedor esperado. Volte ao aplicativo e comece novamente.',
  },
  'en-US': {
    title: 'This cannot be continued',
    text: 'This authorization was already completed, is too old, or did not come from the expected provider. Go back to the application and begin again.',
  },
}

export const deadEnd = (acceptLanguage: string | undefined) =>
  plainPage(acceptLanguage, texts, ({ title, text }) => ({ title, content: `<p>${escapeHtml(text)}</p>` }))
