import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { runTool, temporaryFolder } from '@chancela/testkit/tools'

/** The text of a PDF as poppler reads it, after qpdf found nothing wrong with the file. */
export async function pdfText(pdf: Uint8Array): Promise<string> {
  const folder = temporaryFolder()
  writeFileSync(join(folder, 'document.pdf'), pdf)
  const checked = await runTool('qpdf', ['--check', 'document.pdf'], { folder })
  if (!checked.ok) throw new Error(checked.text)
  return (await runTool('pdftotext', ['-layout', 'document.pdf', '-'], { folder })).text
}
