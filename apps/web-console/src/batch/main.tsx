import { RouterProvider } from '@tanstack/react-router'
import { startConsole } from '../shared/start-console.tsx'
import './frame/controls.css'
import { router } from './router.tsx'
import { dashboardTexts } from './texts/dashboard-texts.ts'

startConsole(<RouterProvider router={router} />, dashboardTexts)
