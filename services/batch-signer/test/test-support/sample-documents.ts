/** A PDF of one page and about this many bytes. */
export function samplePdf(size = 2_000): Buffer {
  const words = `% ${'Chancela '.repeat(Math.max(1, (size - 700) / 9))}`
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R >>',
    `<< /Length ${words.length} >>\nstream\n${words}\nendstream`,
  ]
  let text = '%PDF-1.7\n'
  const offsets = objects.map((object, at) => {
    const offset = text.length
    text += `${at + 1} 0 obj\n${object}\nendobj\n`
    return `${String(offset).padStart(10, '0')} 00000 n \n`
  })
  const table = `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${offsets.join('')}`
  const trailer = `trailer\n<< /Size ${objects.length + 1} /Root 1 0 R >>\nstartxref\n${text.length}\n%%EOF\n`
  return Buffer.from(text + table + trailer, 'latin1')
}

/** An invoice in XML. */
export const sampleXml = (): Buffer =>
  Buffer.from('<?xml version="1.0" encoding="UTF-8"?>\n<invoice><item id="1">Pão de queijo</item></invoice>\n')
