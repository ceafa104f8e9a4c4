import { RouterProvider } from '@tanstack/react-router'
import { startConsole } from '../shared/start-console.tsx'
import '../shared/frame/controls.css'
import { router } from './router.tsx'
import { allTexts } from './texts/all-texts.ts'
import { codeTexts } from './texts/code-texts.ts'
import { commonTexts } from './texts/common-texts.ts'
import { failureTexts } from './texts/failure-texts.ts'

startConsole(<RouterProvider router={router} />, allTexts, {
  product: { 'pt-BR': commonTexts['pt-BR'].product, 'en-US': commonTexts['en-US'].product },
  codes: {
    'pt-BR': { ...codeTexts['pt-BR'], ...failureTexts['pt-BR'] },
    'en-US': { ...codeTexts['en-US'], ...failureTexts['en-US'] },
  },
})
