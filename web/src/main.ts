import { mount } from 'svelte';
import './app.css';
import { api } from './lib/api/http';
import App from './App.svelte';
import { inbox } from './lib/inbox.svelte';
import { install } from './lib/install.svelte';
import { router } from './lib/router.svelte';
import { serverState } from './lib/serverState.svelte';
import { settings } from './lib/settings.svelte';
import { updates } from './lib/updates.svelte';

// The request starts before anything is drawn, because the shelf needs nothing else.
router.listen();
if (router.path === '/') api.games().catch(() => undefined);
settings.load();
serverState.listen();
inbox.listen();
install.listen();
const target = document.getElementById('app');
if (target) mount(App, { target });
updates.start();
