"""Tables on one device, without a server: the same requests and the same messages as the server's, and no network.

Standard library only, and no threads or processes: a Web Worker runs it. `browser` is what JavaScript calls.
"""
