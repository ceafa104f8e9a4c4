/** A PDF of one page and about `bytes` bytes that says `text`, its first line as the title; different texts make different files. */
export function samplePdf(text: string, bytes = 2_000): Buffer {
  const [title = '', ...lines] = text.split('\n').map((line) => `(${escaped(line)}) Tj`)
  const body = lines.length === 0 ? '' : ` /F1 12 Tf 20 TL T* ${lines.join(' T* ')}`
  const page = `BT /F1 24 Tf 72 720 Td ${title}${body} ET\n`
  const padding = Math.max(0, bytes - 700 - page.length)
  const content = `${page}% ${'0123456789abcdef'.repeat(Math.ceil(padding / 16)).slice(0, padding)}\n`
  return Buffer.from(
    withTable([
      '<< /Type /Catalog /Pages 2 0 R >>',
      '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
      '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> >>',
      `<< /Length ${content.length} >>\nstream\n${content}\nendstream`,
      '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>',
    ]),
    'latin1',
  )
}

const escaped = (text: string): string => text.replaceAll(/[\\()]/g, (character) => `\\${character}`)

function withTable(objects: readonly string[]): string {
  let body = '%PDF-1.7\n'
  const offsets = objects.map((object, index) => {
    const at = body.length
    body += `${index + 1} 0 obj\n${object}\nendobj\n`
    return at
  })
  const rows = offsets.map((at) => `${String(at).padStart(10, '0')} 00000 n \n`).join('')
  const size = objects.length + 1
  return `${body}xref\n0 ${size}\n0000000000 65535 f \n${rows}trailer\n<< /Size ${size} /Root 1 0 R >>\nstartxref\n${body.length}\n%%EOF\n`
}
