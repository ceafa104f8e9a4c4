import { escapeHtml, scriptlessPage, serve } from '@chancela/service-kernel/http'
import { verify } from '../actions/documents/verify-document.ts'
import type { Parts } from '../compose.ts'
import { type Verification, verificationPage, verifyDocument } from '../contract/verification.ts'
import type { Culture } from '../rules/cultures.ts'
import type { CoreApp } from './core-app.ts'

/** What anybody learns who has the key of a document. */
export function serveVerification(app: CoreApp, parts: Parts): void {
  serve(app, verifyDocument, ({ params, locale, now }) => verify(parts, params.key, locale as Culture, now))
  serve(app, verificationPage, async ({ params, locale, reply, now }) => {
    const found = await verify(parts, params.key, locale as Culture, now)
    const { page, headers } = pageOf(found, locale as Culture)
    return reply.headers(headers).send(page)
  })
}

const texts = {
  'en-US': {
    title: 'Document verification',
    unknown: 'No document has this key.',
    key: 'Key',
    valid: 'valid',
    invalid: 'not valid',
    unjudged: 'not verifiable without the signed data',
    hash: 'SHA-256 of the signed file',
    by: 'Signed by',
  },
  'pt-BR': {
    title: 'Verificação de documento',
    unknown: 'Nenhum documento tem este código.',
    key: 'Código',
    valid: 'válida',
    invalid: 'não válida',
    unjudged: 'não verificável sem os dados assinados',
    hash: 'SHA-256 do arquivo assinado',
    by: 'Assinado por',
  },
  'es-ES': {
    title: 'Verificación de documento',
    unknown: 'Ningún documento tiene esta clave.',
    key: 'Clave',
    valid: 'válida',
    invalid: 'no válida',
    unjudged: 'no verificable sin los datos firmados',
    hash: 'SHA-256 del archivo firmado',
    by: 'Firmado por',
  },
} as const satisfies Record<Culture, object>

const STYLE =
  'body{font:1.125rem/1.5 system-ui,sans-serif;margin:10vh auto;max-width:40rem;padding:0 1.5rem}code{overflow-wrap:anywhere}'

function pageOf({ document }: Verification, culture: Culture) {
  const words = texts[culture]
  const content = document ? documentMarkup(document, culture) : `<p>${escapeHtml(words.unknown)}</p>`
  const title = `<h1>${escapeHtml(words.title)}</h1>`
  return scriptlessPage({
    language: culture,
    title: words.title,
    style: STYLE,
    content: `${title}\n<main>${content}</main>`,
  })
}

function documentMarkup(document: NonNullable<Verification['document']>, culture: Culture): string {
  const words = texts[culture]
  const signers = document.signers.map(({ name, identifier, issuer, signedAt, isValid }) => {
    const facts = [
      name,
      identifier,
      issuer,
      signedAt,
      isValid === null ? words.unjudged : isValid ? words.valid : words.invalid,
    ]
    return `<li>${escapeHtml(facts.filter(Boolean).join(' · '))}</li>`
  })
  return [
    `<h2>${escapeHtml(document.name)}</h2>`,
    `<p>${escapeHtml(words.key)}: ${escapeHtml(document.formattedKey)}</p>`,
    `<h3>${escapeHtml(words.by)}</h3><ul>${signers.join('')}</ul>`,
    `<p>${escapeHtml(words.hash)}: <code>${document.sha256}</code></p>`,
  ].join('\n')
}
