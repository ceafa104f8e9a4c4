import { RouterProvider } from '@tanstack/react-router'
import { startConsole } from '../shared/start-console.tsx'
import '../shared/frame/controls.css'
import { SigningWords } from './parts/signing-words.tsx'
import { router } from './router.tsx'
import { allTexts } from './texts/all-texts.ts'
import { codeTexts } from './texts/code-texts.ts'
import { commonTexts } from './texts/common-texts.ts'

const page = (
  <SigningWords>
    <RouterProvider router={router} />
  </SigningWords>
)

startConsole(page, allTexts, {
  product: { 'pt-BR': commonTexts['pt-BR'].product, 'en-US': commonTexts['en-US'].product },
  codes: codeTexts,
})
