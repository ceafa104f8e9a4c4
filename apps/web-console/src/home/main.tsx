import { startConsole } from '../shared/start-console.tsx'
import { HomePage } from './home-page.tsx'
import { homeTexts } from './texts/home-texts.ts'

startConsole(<HomePage />, { home: homeTexts })
