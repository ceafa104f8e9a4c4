import { readFile, writeFile } from 'node:fs/promises'
import { drawElements, stampPages } from '@chancela/signature-engine/pades'

const [note] = await drawElements([
  {
    x: 36, // points (1/72 inch) from the lower left corner
    y: 20,
    width: 360,
    height: 50,
    background: { red: 1, green: 1, blue: 0.9 },
    border: { width: 1 },
    elements: [
      {
        kind: 'text',
        box: { x: 5, y: 5, width: 300, height: 40 },
        runs: [{ text: 'Confira em ' }, { text: 'example.com/check/42', style: 'bold' }],
        vertical: 'center',
      },
      {
        kind: 'qr-code',
        box: { x: 310, y: 5, width: 40, height: 40 },
        text: 'https://example.com/check/42',
      },
    ],
  },
])

// Before anybody signs: no signature allows its pages to change.
const marked = stampPages(await readFile('contract.pdf'), { stamps: [{ picture: note!, pages: [1] }] })

await writeFile('contract.marked.pdf', marked)
