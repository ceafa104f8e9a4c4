import { RouterProvider } from '@tanstack/react-router'
import { startConsole } from '../shared/start-console.tsx'
import '../shared/frame/controls.css'
import { router } from './router.tsx'
import { batchTexts } from './texts/batch-texts.ts'
import { codeTexts } from './texts/code-texts.ts'
import { dashboardTexts } from './texts/dashboard-texts.ts'

startConsole(<RouterProvider router={router} />, dashboardTexts, {
  product: { 'pt-BR': batchTexts['pt-BR'].product, 'en-US': batchTexts['en-US'].product },
  codes: codeTexts,
})
