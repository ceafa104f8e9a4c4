import { escapeHtml } from '@chancela/service-kernel/http'
import type { Language } from '@chancela/service-kernel/i18n'

/** A part of a mail, written once and rendered both as text and as HTML. */
export type Block =
  | { readonly kind: 'paragraph'; readonly text: string }
  | { readonly kind: 'note'; readonly text: string }
  | { readonly kind: 'facts'; readonly rows: readonly (readonly [label: string, value: string])[] }
  | { readonly kind: 'code'; readonly code: string }
  | { readonly kind: 'button'; readonly text: string; readonly url: string; readonly hint: string }
  | { readonly kind: 'link'; readonly title: string; readonly text: string; readonly url: string }

/** The content of a mail before rendering. */
export interface Composition {
  readonly subject: string
  readonly blocks: readonly Block[]
  readonly footer: string
}

export interface MailText {
  readonly subject: string
  readonly text: string
  readonly html: string
}

/** The two forms of a mail. */
export const layout = ({ subject, blocks, footer }: Composition, language: Language): MailText => ({
  subject,
  text: `${[...blocks.map(asText), `--\n${footer}`].join('\n\n')}\n`,
  html: page(subject, blocks.map(asHtml).join('\n'), footer, language),
})

function asText(block: Block): string {
  switch (block.kind) {
    case 'paragraph':
    case 'note':
      return block.text
    case 'facts':
      return block.rows.map(([label, value]) => `${label}: ${value}`).join('\n')
    case 'code':
      return `    ${block.code}`
    case 'button':
      return `${block.text}:\n${block.url}`
    case 'link':
      return `* ${block.title}\n  ${block.text}:\n  ${block.url}`
  }
}

// Mail programs support neither style sheets nor much of CSS: every element has inline styles, and nothing is fetched.
const styles = {
  body: 'margin:0;padding:24px 12px;background:#f3f4f6;color:#1f2937;font-family:Arial,Helvetica,sans-serif;font-size:16px;line-height:1.5',
  card: 'max-width:600px;margin:0 auto;padding:24px;background:#ffffff;border:1px solid #d1d5db;border-radius:8px',
  paragraph: 'margin:0 0 16px',
  note: 'margin:0 0 16px;color:#4b5563;font-size:14px',
  label: 'padding:4px 16px 4px 0;color:#4b5563;text-align:left;vertical-align:top;font-weight:normal',
  value: 'padding:4px 0;vertical-align:top;overflow-wrap:anywhere',
  code: 'margin:0 0 16px;font-family:Consolas,Menlo,monospace;font-size:32px;font-weight:bold;letter-spacing:6px',
  button:
    'display:inline-block;padding:12px 24px;background:#1d4ed8;color:#ffffff;font-weight:bold;text-decoration:none;border-radius:6px',
  link: 'color:#1d4ed8;overflow-wrap:anywhere',
  item: 'margin:0 0 16px;padding:0 0 16px;border-bottom:1px solid #e5e7eb',
  footer: 'max-width:600px;margin:16px auto 0;color:#4b5563;font-size:13px',
} as const

function asHtml(block: Block): string {
  switch (block.kind) {
    case 'paragraph':
    case 'note':
      return `<p style="${styles[block.kind]}">${lines(block.text)}</p>`
    case 'facts':
      return `<table style="margin:0 0 16px;border-collapse:collapse">${block.rows.map(factRow).join('')}</table>`
    case 'code':
      return `<p style="${styles.code}">${escapeHtml(block.code)}</p>`
    case 'button':
      return `<p style="${styles.paragraph}">${anchor(block.url, block.text, styles.button)}</p>
<p style="${styles.note}">${lines(block.hint)}<br />${anchor(block.url, block.url, styles.link)}</p>`
    case 'link':
      return `<p style="${styles.item}"><strong>${lines(block.title)}</strong><br />${anchor(block.url, block.text, styles.link)}</p>`
  }
}

const factRow = ([label, value]: readonly [string, string]): string =>
  `<tr><th scope="row" style="${styles.label}">${lines(label)}</th><td style="${styles.value}">${lines(value)}</td></tr>`

const anchor = (url: string, text: string, style: string): string =>
  `<a href="${escapeHtml(url)}" style="${style}">${escapeHtml(text)}</a>`

const page = (title: string, content: string, footer: string, language: Language): string => `<!DOCTYPE html>
<html lang="${language}">
<head>
<meta charset="utf-8" />
<meta name="viewport" content="width=device-width, initial-scale=1" />
<title>${escapeHtml(title)}</title>
</head>
<body style="${styles.body}">
<div role="main" style="${styles.card}">
${content}
</div>
<p style="${styles.footer}">${lines(footer)}</p>
</body>
</html>
`

const lines = (text: string): string => escapeHtml(text).replace(/\r?\n/g, '<br />')
