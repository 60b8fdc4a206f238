import { mount } from 'svelte';
import './app.css';
import { api } from './lib/api/http';
import App from './App.svelte';
import { router } from './lib/router.svelte';
import { settings } from './lib/settings.svelte';

// The request starts before anything is drawn, because the shelf needs nothing else.
if (location.pathname === '/') api.games().catch(() => undefined);
settings.load();
router.listen();
const target = document.getElementById('app');
if (target) mount(App, { target });
