import { RouterProvider } from '@tanstack/react-router'
import { startConsole } from '../shared/start-console.tsx'
import '../shared/frame/controls.css'
import { router } from './router.tsx'
import { allTexts } from './texts/all-texts.ts'
import { codeTexts } from './texts/code-texts.ts'
import { commonTexts } from './texts/common-texts.ts'
import { findingTexts } from './texts/finding-texts.ts'
import { reasonTexts } from './texts/reason-texts.ts'

startConsole(<RouterProvider router={router} />, allTexts, {
  product: { 'pt-BR': commonTexts['pt-BR'].product, 'en-US': commonTexts['en-US'].product },
  codes: {
    'pt-BR': { ...codeTexts['pt-BR'], ...reasonTexts['pt-BR'] },
    'en-US': { ...codeTexts['en-US'], ...reasonTexts['en-US'] },
  },
  findings: findingTexts,
})
