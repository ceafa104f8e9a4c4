import { closeSync, openSync, writeSync } from 'node:fs'

/** A PDF with a stream of so many zeros, which take no room on a disk that knows holes. */
export function writeLargePdf(path: string, bytes: number): void {
  const offsets: number[] = []
  let at = 0
  const file = openSync(path, 'w')
  const write = (text: string) => {
    at += writeSync(file, text, at, 'latin1')
  }
  const object = (text: string) => {
    offsets.push(at)
    write(`${offsets.length} 0 obj\n${text}`)
  }
  write('%PDF-1.7\n')
  object('<< /Type /Catalog /Pages 2 0 R /Large 4 0 R >>\nendobj\n')
  object('<< /Type /Pages /Kids [3 0 R] /Count 1 >>\nendobj\n')
  object('<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] >>\nendobj\n')
  object(`<< /Length ${bytes} >>\nstream\n`)
  at += bytes
  write('\nendstream\nendobj\n')
  const rows = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`).join('')
  write(`xref\n0 5\n0000000000 65535 f \n${rows}trailer\n<< /Size 5 /Root 1 0 R >>\nstartxref\n${at}\n%%EOF\n`)
  closeSync(file)
}
