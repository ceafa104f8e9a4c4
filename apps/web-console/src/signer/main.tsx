import 'virtual:theme.css'
import '@mantine/core/styles/baseline.css'
import '@mantine/core/styles/global.css'
import '../shared/theme/ground.css'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { SignerPage } from './signer-page.tsx'

// Not `startConsole`: people open this page on phones, once, so it does without the consoles' libraries.
createRoot(document.getElementById('root')!).render(
  <StrictMode>
    <SignerPage />
  </StrictMode>,
)
