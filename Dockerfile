# The image of a Plinth server: unprivileged, and fine with a read-only root
# file system; what it writes goes to the volume /data.
ARG NODE_IMAGE=node:20.20.2-bookworm-slim

FROM ${NODE_IMAGE} AS build
WORKDIR /src
COPY package.json package-lock.json ./
RUN npm ci
COPY . .
RUN npm run build:bundle && npm prune --omit=dev

FROM ${NODE_IMAGE}
ENV NODE_ENV=production
WORKDIR /app
COPY --from=build /src/package.json ./
COPY --from=build /src/node_modules ./node_modules
COPY --from=build /src/dist ./dist
# Volumes that begin empty take their owner from here.
RUN mkdir /data /pki /pki/etcd /pki/server /pki/prometheus /pki/grafana && chown -R 65532:65532 /data /pki
USER 65532:65532
VOLUME /data
EXPOSE 6443
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=5s --timeout=5s --start-period=5m --retries=6 \
  CMD ["node", "/app/dist/server/probe.js"]
ENTRYPOINT ["node", "/app/dist/server/main.js"]
CMD ["--data-dir", "/data", "--bind-address", "0.0.0.0"]
