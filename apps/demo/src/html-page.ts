import { escapeHtml } from '@chancela/service-kernel/http'
import type { Language } from '@chancela/service-kernel/i18n'

interface Page {
  readonly language: Language
  readonly title: string
  readonly head?: string
  readonly content: string
}

/** A page of the home service that is made here, without the bundle. */
export const htmlPage = ({ language, title, head = '', content }: Page): string => `<!DOCTYPE html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)}</title>
<link rel="icon" type="image/svg+xml" href="/seal.svg">
<link rel="stylesheet" href="/mail/style.css">
${head}
</head>
<body>
${content}
</body>
</html>
`
