import { startConsole } from '../shared/start-console.tsx'
// After Mantine's style sheet, which the line above imports.
import '../shared/frame/controls.css'
import { HomePage } from './home-page.tsx'
import { homeCodes, homeTexts } from './texts/home-texts.ts'
import { WalkPage } from './walk/walk-page.tsx'

const page = location.pathname.endsWith('/walk') ? <WalkPage /> : <HomePage />

startConsole(page, { home: homeTexts }, { product: { 'pt-BR': 'Chancela', 'en-US': 'Chancela' }, codes: homeCodes })
