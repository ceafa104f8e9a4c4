import { createHash } from 'node:crypto'
import { escapeHtml } from './escape-html.ts'

interface HtmlDocument {
  readonly language: string
  readonly title: string
  /** Further markup of the head. */
  readonly head?: string
  /** Markup. */
  readonly content: string
}

/** The frame of a page that is rendered on the server, without a bundle. */
export const htmlDocument = ({ language, title, head = '', content }: HtmlDocument): string => `<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escapeHtml(title)}</title>
${head}
</head>
<body>
${content}
</body>
</html>
`

interface ScriptlessPage extends HtmlDocument {
  readonly style: string
  /** Whether its forms may be sent to where it came from; default no. */
  readonly sendsForms?: boolean
}

/** A page that runs and fetches nothing: its style is inline, and its policy allows only that. */
export function scriptlessPage({ style, head = '', sendsForms = false, ...document }: ScriptlessPage) {
  return {
    page: htmlDocument({ ...document, head: `${head}<link rel="icon" href="data:,">\n<style>${style}</style>` }),
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': policyFor(style, sendsForms),
      vary: 'accept, accept-language',
    },
  }
}

const policyFor = (style: string, sendsForms: boolean): string =>
  [
    "default-src 'none'",
    `style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'`,
    // The empty icon: without one browsers ask for /favicon.ico.
    'img-src data:',
    "base-uri 'none'",
    `form-action ${sendsForms ? "'self'" : "'none'"}`,
    "frame-ancestors 'none'",
  ].join('; ')
